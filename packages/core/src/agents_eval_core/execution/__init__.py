"""Where units of work are done."""
