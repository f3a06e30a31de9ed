"""Pure decisions, and the policies that they follow."""
