"""The operator's pages: all clubs of the installation, without the people in them. Accounts and sessions are in a schema of their own."""
