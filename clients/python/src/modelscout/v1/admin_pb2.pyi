from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AuditAct(_message.Message):
    __slots__ = ["action", "actor", "at", "details", "id", "result", "target"]
    class DetailsEntry(_message.Message):
        __slots__ = ["key", "value"]
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ACTION_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    action: str
    actor: str
    at: _timestamp_pb2.Timestamp
    details: _containers.ScalarMap[str, str]
    id: str
    result: str
    target: str
    def __init__(self, id: _Optional[str] = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., actor: _Optional[str] = ..., action: _Optional[str] = ..., target: _Optional[str] = ..., result: _Optional[str] = ..., details: _Optional[_Mapping[str, str]] = ...) -> None: ...

class CreateKeyRequest(_message.Message):
    __slots__ = ["expires_at", "name", "owner", "tier"]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    expires_at: _timestamp_pb2.Timestamp
    name: str
    owner: str
    tier: str
    def __init__(self, tier: _Optional[str] = ..., owner: _Optional[str] = ..., name: _Optional[str] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...

class CreateKeyResponse(_message.Message):
    __slots__ = ["key", "secret"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    key: Key
    secret: str
    def __init__(self, secret: _Optional[str] = ..., key: _Optional[_Union[Key, _Mapping[str, object]]] = ...) -> None: ...

class Key(_message.Message):
    __slots__ = ["created_at", "expires_at", "id", "last_used_at", "name", "owner", "owner_id", "revoked_at", "tier"]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_AT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    REVOKED_AT_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    created_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    id: str
    last_used_at: _timestamp_pb2.Timestamp
    name: str
    owner: str
    owner_id: str
    revoked_at: _timestamp_pb2.Timestamp
    tier: str
    def __init__(self, id: _Optional[str] = ..., tier: _Optional[str] = ..., owner_id: _Optional[str] = ..., owner: _Optional[str] = ..., name: _Optional[str] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., revoked_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., last_used_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...

class ListAuditRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListAuditResponse(_message.Message):
    __slots__ = ["acts", "next_page_token"]
    ACTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    acts: _containers.RepeatedCompositeFieldContainer[AuditAct]
    next_page_token: str
    def __init__(self, acts: _Optional[_Iterable[_Union[AuditAct, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListKeysRequest(_message.Message):
    __slots__ = ["owner", "page_size", "page_token", "tier"]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    owner: str
    page_size: int
    page_token: str
    tier: str
    def __init__(self, owner: _Optional[str] = ..., tier: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListKeysResponse(_message.Message):
    __slots__ = ["keys", "next_page_token"]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    keys: _containers.RepeatedCompositeFieldContainer[Key]
    next_page_token: str
    def __init__(self, keys: _Optional[_Iterable[_Union[Key, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RevokeKeyRequest(_message.Message):
    __slots__ = ["id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class RevokeKeyResponse(_message.Message):
    __slots__ = ["key"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: Key
    def __init__(self, key: _Optional[_Union[Key, _Mapping[str, object]]] = ...) -> None: ...

class SyncSourceRequest(_message.Message):
    __slots__ = ["cards", "limit", "source"]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    cards: int
    limit: int
    source: str
    def __init__(self, source: _Optional[str] = ..., limit: _Optional[int] = ..., cards: _Optional[int] = ...) -> None: ...

class SyncSourceResponse(_message.Message):
    __slots__ = ["added", "changed", "complete", "error", "faults", "listed", "outcome", "removed", "resumed", "returned", "seconds", "skipped", "unchanged", "vanished"]
    ADDED_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    LISTED_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    RETURNED_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_FIELD_NUMBER: _ClassVar[int]
    VANISHED_FIELD_NUMBER: _ClassVar[int]
    added: int
    changed: int
    complete: bool
    error: str
    faults: int
    listed: int
    outcome: str
    removed: int
    resumed: bool
    returned: int
    seconds: float
    skipped: int
    unchanged: int
    vanished: int
    def __init__(self, outcome: _Optional[str] = ..., error: _Optional[str] = ..., resumed: bool = ..., complete: bool = ..., listed: _Optional[int] = ..., added: _Optional[int] = ..., changed: _Optional[int] = ..., unchanged: _Optional[int] = ..., vanished: _Optional[int] = ..., returned: _Optional[int] = ..., removed: _Optional[int] = ..., skipped: _Optional[int] = ..., faults: _Optional[int] = ..., seconds: _Optional[float] = ...) -> None: ...
