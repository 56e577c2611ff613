"""Sessions, the callers that they identify, and limits of attempts."""
