"""The messages of google.rpc that errors are made of.

They are those of the package googleapis-common-protos if it is installed, and otherwise the copy in this package. Two
copies cannot be loaded in one process, because protobuf refuses a second definition of the same file.
"""

try:
    from google.rpc import error_details_pb2, status_pb2
except ImportError:
    from .bundled import error_details_pb2, status_pb2

__all__ = ["error_details_pb2", "status_pb2"]
