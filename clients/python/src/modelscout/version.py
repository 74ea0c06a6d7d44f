"""The version of this package, the same as that of the service."""

__version__ = "0.1.0"
