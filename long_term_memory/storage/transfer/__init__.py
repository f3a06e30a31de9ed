"""All that is remembered as one document, and back: checked whole, brought in whole or not at all."""
