"""Whatever module the specification's first sample imports."""
