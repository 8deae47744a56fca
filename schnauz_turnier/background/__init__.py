"""Work of the running server without a request: backups, and forgetting what is past its time."""
