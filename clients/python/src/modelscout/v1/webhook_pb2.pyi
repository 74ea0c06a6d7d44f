from google.protobuf import empty_pb2 as _empty_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateWebhookRequest(_message.Message):
    __slots__ = ["request_id", "webhook"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    webhook: Webhook
    def __init__(self, webhook: _Optional[_Union[Webhook, _Mapping[str, object]]] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteWebhookRequest(_message.Message):
    __slots__ = ["id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class Delivery(_message.Message):
    __slots__ = ["attempt_count", "attempts", "created_at", "event_type", "id", "next_attempt_at", "state", "webhook_id"]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    NEXT_ATTEMPT_AT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    attempt_count: int
    attempts: _containers.RepeatedCompositeFieldContainer[DeliveryAttempt]
    created_at: _timestamp_pb2.Timestamp
    event_type: str
    id: str
    next_attempt_at: _timestamp_pb2.Timestamp
    state: str
    webhook_id: str
    def __init__(self, id: _Optional[str] = ..., webhook_id: _Optional[str] = ..., event_type: _Optional[str] = ..., state: _Optional[str] = ..., attempts: _Optional[_Iterable[_Union[DeliveryAttempt, _Mapping[str, object]]]] = ..., attempt_count: _Optional[int] = ..., next_attempt_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...

class DeliveryAttempt(_message.Message):
    __slots__ = ["at", "duration_ms", "error", "outcome", "status_code"]
    AT_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    STATUS_CODE_FIELD_NUMBER: _ClassVar[int]
    at: _timestamp_pb2.Timestamp
    duration_ms: float
    error: str
    outcome: str
    status_code: int
    def __init__(self, at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., outcome: _Optional[str] = ..., status_code: _Optional[int] = ..., error: _Optional[str] = ..., duration_ms: _Optional[float] = ...) -> None: ...

class GetWebhookRequest(_message.Message):
    __slots__ = ["id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ListDeliveriesRequest(_message.Message):
    __slots__ = ["event_type", "page_size", "page_token", "state", "webhook_id"]
    EVENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    event_type: str
    page_size: int
    page_token: str
    state: str
    webhook_id: str
    def __init__(self, webhook_id: _Optional[str] = ..., state: _Optional[str] = ..., event_type: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDeliveriesResponse(_message.Message):
    __slots__ = ["deliveries", "next_page_token"]
    DELIVERIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    deliveries: _containers.RepeatedCompositeFieldContainer[Delivery]
    next_page_token: str
    def __init__(self, deliveries: _Optional[_Iterable[_Union[Delivery, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListWebhooksRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListWebhooksResponse(_message.Message):
    __slots__ = ["next_page_token", "webhooks"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    WEBHOOKS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    webhooks: _containers.RepeatedCompositeFieldContainer[Webhook]
    def __init__(self, webhooks: _Optional[_Iterable[_Union[Webhook, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RedeliverRequest(_message.Message):
    __slots__ = ["id", "webhook_id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    webhook_id: str
    def __init__(self, webhook_id: _Optional[str] = ..., id: _Optional[str] = ...) -> None: ...

class RotateSecretRequest(_message.Message):
    __slots__ = ["id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class TestWebhookRequest(_message.Message):
    __slots__ = ["id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class UpdateWebhookRequest(_message.Message):
    __slots__ = ["update_mask", "webhook"]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_FIELD_NUMBER: _ClassVar[int]
    update_mask: _field_mask_pb2.FieldMask
    webhook: Webhook
    def __init__(self, webhook: _Optional[_Union[Webhook, _Mapping[str, object]]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping[str, object]]] = ...) -> None: ...

class Webhook(_message.Message):
    __slots__ = ["created_at", "disabled_reason", "event_types", "id", "interest_ids", "previous_secret_until", "secret", "state", "updated_at", "url"]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    DISABLED_REASON_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPES_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    INTEREST_IDS_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    created_at: _timestamp_pb2.Timestamp
    disabled_reason: str
    event_types: _containers.RepeatedScalarFieldContainer[str]
    id: str
    interest_ids: _containers.RepeatedScalarFieldContainer[str]
    previous_secret_until: _timestamp_pb2.Timestamp
    secret: str
    state: str
    updated_at: _timestamp_pb2.Timestamp
    url: str
    def __init__(self, id: _Optional[str] = ..., url: _Optional[str] = ..., event_types: _Optional[_Iterable[str]] = ..., interest_ids: _Optional[_Iterable[str]] = ..., state: _Optional[str] = ..., disabled_reason: _Optional[str] = ..., secret: _Optional[str] = ..., previous_secret_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., updated_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...
