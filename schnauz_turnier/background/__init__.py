"""Work of the running server without a request: backups, deletion of old sign-ups, keeping the laptop awake."""
