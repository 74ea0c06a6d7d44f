from modelscout.v1 import model_pb2 as _model_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CompareModelsRequest(_message.Message):
    __slots__ = ["context_length", "device", "hardware", "names"]
    CONTEXT_LENGTH_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    HARDWARE_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    context_length: int
    device: Hardware
    hardware: str
    names: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, names: _Optional[_Iterable[str]] = ..., hardware: _Optional[str] = ..., device: _Optional[_Union[Hardware, _Mapping[str, object]]] = ..., context_length: _Optional[int] = ...) -> None: ...

class CompareModelsResponse(_message.Message):
    __slots__ = ["boards", "differences", "estimates", "models"]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    ESTIMATES_FIELD_NUMBER: _ClassVar[int]
    MODELS_FIELD_NUMBER: _ClassVar[int]
    boards: _containers.RepeatedCompositeFieldContainer[ComparedBoard]
    differences: _containers.RepeatedCompositeFieldContainer[ModelDifference]
    estimates: _containers.RepeatedCompositeFieldContainer[ComparedEstimate]
    models: _containers.RepeatedCompositeFieldContainer[_model_pb2.ModelEntry]
    def __init__(self, models: _Optional[_Iterable[_Union[_model_pb2.ModelEntry, _Mapping[str, object]]]] = ..., differences: _Optional[_Iterable[_Union[ModelDifference, _Mapping[str, object]]]] = ..., boards: _Optional[_Iterable[_Union[ComparedBoard, _Mapping[str, object]]]] = ..., estimates: _Optional[_Iterable[_Union[ComparedEstimate, _Mapping[str, object]]]] = ...) -> None: ...

class ComparedBoard(_message.Message):
    __slots__ = ["figures", "higher_is_better", "id", "metric", "name"]
    FIGURES_FIELD_NUMBER: _ClassVar[int]
    HIGHER_IS_BETTER_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    figures: _containers.RepeatedCompositeFieldContainer[ComparedFigure]
    higher_is_better: bool
    id: str
    metric: str
    name: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., metric: _Optional[str] = ..., higher_is_better: bool = ..., figures: _Optional[_Iterable[_Union[ComparedFigure, _Mapping[str, object]]]] = ...) -> None: ...

class ComparedEstimate(_message.Message):
    __slots__ = ["estimate", "model_name"]
    ESTIMATE_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    estimate: _model_pb2.HardwareEstimate
    model_name: str
    def __init__(self, model_name: _Optional[str] = ..., estimate: _Optional[_Union[_model_pb2.HardwareEstimate, _Mapping[str, object]]] = ...) -> None: ...

class ComparedFigure(_message.Message):
    __slots__ = ["best", "evidence", "place", "value"]
    BEST_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    best: bool
    evidence: str
    place: int
    value: float
    def __init__(self, value: _Optional[float] = ..., place: _Optional[int] = ..., best: bool = ..., evidence: _Optional[str] = ...) -> None: ...

class DevicePrice(_message.Message):
    __slots__ = ["amount", "as_of", "currency", "source"]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    CURRENCY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    amount: float
    as_of: str
    currency: str
    source: str
    def __init__(self, amount: _Optional[float] = ..., currency: _Optional[str] = ..., as_of: _Optional[str] = ..., source: _Optional[str] = ...) -> None: ...

class EstimateHardwareRequest(_message.Message):
    __slots__ = ["active_parameters", "cache_type", "context_length", "engine", "hardware", "model_name", "parameters", "prompt_tokens", "quantization"]
    ACTIVE_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    CACHE_TYPE_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_LENGTH_FIELD_NUMBER: _ClassVar[int]
    ENGINE_FIELD_NUMBER: _ClassVar[int]
    HARDWARE_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    QUANTIZATION_FIELD_NUMBER: _ClassVar[int]
    active_parameters: float
    cache_type: str
    context_length: int
    engine: str
    hardware: Hardware
    model_name: str
    parameters: float
    prompt_tokens: int
    quantization: str
    def __init__(self, model_name: _Optional[str] = ..., parameters: _Optional[float] = ..., active_parameters: _Optional[float] = ..., quantization: _Optional[str] = ..., engine: _Optional[str] = ..., context_length: _Optional[int] = ..., prompt_tokens: _Optional[int] = ..., hardware: _Optional[_Union[Hardware, _Mapping[str, object]]] = ..., cache_type: _Optional[str] = ...) -> None: ...

class FamilyCount(_message.Message):
    __slots__ = ["count", "family"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    count: int
    family: str
    def __init__(self, family: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class GetModelRequest(_message.Message):
    __slots__ = ["model_name"]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    model_name: str
    def __init__(self, model_name: _Optional[str] = ...) -> None: ...

class Hardware(_message.Message):
    __slots__ = ["cpu_name", "gpu_count", "gpu_name", "memory_bandwidth_gb_s", "memory_gb", "system_memory_gb"]
    CLASS_FIELD_NUMBER: _ClassVar[int]
    CPU_NAME_FIELD_NUMBER: _ClassVar[int]
    GPU_COUNT_FIELD_NUMBER: _ClassVar[int]
    GPU_NAME_FIELD_NUMBER: _ClassVar[int]
    MEMORY_BANDWIDTH_GB_S_FIELD_NUMBER: _ClassVar[int]
    MEMORY_GB_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_MEMORY_GB_FIELD_NUMBER: _ClassVar[int]
    cpu_name: str
    gpu_count: int
    gpu_name: str
    memory_bandwidth_gb_s: float
    memory_gb: float
    system_memory_gb: float
    def __init__(self, gpu_name: _Optional[str] = ..., gpu_count: _Optional[int] = ..., cpu_name: _Optional[str] = ..., memory_gb: _Optional[float] = ..., memory_bandwidth_gb_s: _Optional[float] = ..., system_memory_gb: _Optional[float] = ..., **kwargs: object) -> None: ...

class HardwareOption(_message.Message):
    __slots__ = ["device", "device_count", "estimate", "kind", "meets_speed", "memory_gb", "price", "price_class"]
    DEVICE_COUNT_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    ESTIMATE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MEETS_SPEED_FIELD_NUMBER: _ClassVar[int]
    MEMORY_GB_FIELD_NUMBER: _ClassVar[int]
    PRICE_CLASS_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    device: str
    device_count: int
    estimate: _model_pb2.HardwareEstimate
    kind: str
    meets_speed: bool
    memory_gb: float
    price: DevicePrice
    price_class: str
    def __init__(self, device: _Optional[str] = ..., kind: _Optional[str] = ..., device_count: _Optional[int] = ..., memory_gb: _Optional[float] = ..., price_class: _Optional[str] = ..., price: _Optional[_Union[DevicePrice, _Mapping[str, object]]] = ..., estimate: _Optional[_Union[_model_pb2.HardwareEstimate, _Mapping[str, object]]] = ..., meets_speed: bool = ...) -> None: ...

class ListFamiliesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListFamiliesResponse(_message.Message):
    __slots__ = ["families", "total"]
    FAMILIES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    families: _containers.RepeatedCompositeFieldContainer[FamilyCount]
    total: int
    def __init__(self, total: _Optional[int] = ..., families: _Optional[_Iterable[_Union[FamilyCount, _Mapping[str, object]]]] = ...) -> None: ...

class ListFamilyModelsRequest(_message.Message):
    __slots__ = ["family", "page_size", "page_token"]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    family: str
    page_size: int
    page_token: str
    def __init__(self, family: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListFamilyModelsResponse(_message.Message):
    __slots__ = ["family", "models", "next_page_token", "total"]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    MODELS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    family: str
    models: _containers.RepeatedCompositeFieldContainer[_model_pb2.ModelSummary]
    next_page_token: str
    total: int
    def __init__(self, family: _Optional[str] = ..., total: _Optional[int] = ..., models: _Optional[_Iterable[_Union[_model_pb2.ModelSummary, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListTaskModelsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "task"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    task: str
    def __init__(self, task: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTaskModelsResponse(_message.Message):
    __slots__ = ["models", "next_page_token", "task", "total"]
    MODELS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    models: _containers.RepeatedCompositeFieldContainer[_model_pb2.ModelSummary]
    next_page_token: str
    task: str
    total: int
    def __init__(self, task: _Optional[str] = ..., total: _Optional[int] = ..., models: _Optional[_Iterable[_Union[_model_pb2.ModelSummary, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListTasksRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListTasksResponse(_message.Message):
    __slots__ = ["tasks", "total"]
    TASKS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    tasks: _containers.RepeatedCompositeFieldContainer[TaskCount]
    total: int
    def __init__(self, total: _Optional[int] = ..., tasks: _Optional[_Iterable[_Union[TaskCount, _Mapping[str, object]]]] = ...) -> None: ...

class ModelDifference(_message.Message):
    __slots__ = ["field", "values"]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    field: str
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, field: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ...) -> None: ...

class PlanHardwareRequest(_message.Message):
    __slots__ = ["active_parameters", "cache_type", "context_length", "device", "engine", "max_devices", "min_tokens_per_second", "model_name", "parameters", "prompt_tokens", "quantization"]
    ACTIVE_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    CACHE_TYPE_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_LENGTH_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    ENGINE_FIELD_NUMBER: _ClassVar[int]
    MAX_DEVICES_FIELD_NUMBER: _ClassVar[int]
    MIN_TOKENS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    QUANTIZATION_FIELD_NUMBER: _ClassVar[int]
    active_parameters: float
    cache_type: str
    context_length: int
    device: Hardware
    engine: str
    max_devices: int
    min_tokens_per_second: float
    model_name: str
    parameters: float
    prompt_tokens: int
    quantization: str
    def __init__(self, model_name: _Optional[str] = ..., parameters: _Optional[float] = ..., active_parameters: _Optional[float] = ..., quantization: _Optional[str] = ..., engine: _Optional[str] = ..., context_length: _Optional[int] = ..., prompt_tokens: _Optional[int] = ..., cache_type: _Optional[str] = ..., min_tokens_per_second: _Optional[float] = ..., device: _Optional[_Union[Hardware, _Mapping[str, object]]] = ..., max_devices: _Optional[int] = ...) -> None: ...

class PlanHardwareResponse(_message.Message):
    __slots__ = ["basis", "classes", "options", "today"]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    CLASSES_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TODAY_FIELD_NUMBER: _ClassVar[int]
    basis: _containers.RepeatedScalarFieldContainer[str]
    classes: _containers.RepeatedCompositeFieldContainer[HardwareOption]
    options: _containers.RepeatedCompositeFieldContainer[HardwareOption]
    today: HardwareOption
    def __init__(self, options: _Optional[_Iterable[_Union[HardwareOption, _Mapping[str, object]]]] = ..., today: _Optional[_Union[HardwareOption, _Mapping[str, object]]] = ..., classes: _Optional[_Iterable[_Union[HardwareOption, _Mapping[str, object]]]] = ..., basis: _Optional[_Iterable[str]] = ...) -> None: ...

class SearchModelsRequest(_message.Message):
    __slots__ = ["capabilities", "device", "exclude_gated", "family", "hardware", "languages", "license", "max_parameters", "max_size_gb", "min_context_length", "min_parameters", "order_by", "page_size", "page_token", "q", "task"]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_GATED_FIELD_NUMBER: _ClassVar[int]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    HARDWARE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    MAX_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    MAX_SIZE_GB_FIELD_NUMBER: _ClassVar[int]
    MIN_CONTEXT_LENGTH_FIELD_NUMBER: _ClassVar[int]
    MIN_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    ORDER_BY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    Q_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    device: Hardware
    exclude_gated: bool
    family: str
    hardware: str
    languages: _containers.RepeatedScalarFieldContainer[str]
    license: str
    max_parameters: float
    max_size_gb: float
    min_context_length: int
    min_parameters: float
    order_by: str
    page_size: int
    page_token: str
    q: str
    task: str
    def __init__(self, q: _Optional[str] = ..., family: _Optional[str] = ..., task: _Optional[str] = ..., max_size_gb: _Optional[float] = ..., hardware: _Optional[str] = ..., license: _Optional[str] = ..., languages: _Optional[_Iterable[str]] = ..., min_context_length: _Optional[int] = ..., order_by: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., capabilities: _Optional[_Iterable[str]] = ..., min_parameters: _Optional[float] = ..., max_parameters: _Optional[float] = ..., exclude_gated: bool = ..., device: _Optional[_Union[Hardware, _Mapping[str, object]]] = ...) -> None: ...

class SearchModelsResponse(_message.Message):
    __slots__ = ["models", "next_page_token", "total"]
    MODELS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    models: _containers.RepeatedCompositeFieldContainer[_model_pb2.ModelSummary]
    next_page_token: str
    total: int
    def __init__(self, total: _Optional[int] = ..., models: _Optional[_Iterable[_Union[_model_pb2.ModelSummary, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class TaskCount(_message.Message):
    __slots__ = ["count", "task", "task_type"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    TASK_TYPE_FIELD_NUMBER: _ClassVar[int]
    count: int
    task: str
    task_type: str
    def __init__(self, task: _Optional[str] = ..., task_type: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...
