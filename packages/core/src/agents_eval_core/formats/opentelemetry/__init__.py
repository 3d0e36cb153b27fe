"""The OpenTelemetry family: from the wire to spans, one file a convention."""
