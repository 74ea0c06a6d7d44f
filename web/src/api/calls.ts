import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import {
  type CompareModelsRequestSchema,
  type EstimateHardwareRequestSchema,
  type InterestSchema,
  InterestService,
  InventoryService,
  type PlanHardwareRequestSchema,
  RecommendationService,
  type RecommendRequestSchema,
  type SearchModelsRequestSchema,
} from "../../../packages/client/src/index.ts";

/** A call of the service, as data: it can be made, and shown as curl, gRPC and TypeScript. */
export interface Call<I extends DescMessage = DescMessage, O extends DescMessage = DescMessage> {
  readonly method: DescMethodUnary<I, O>;
  readonly request: MessageShape<I>;
}

/** Creates a call of a method. */
function createCall<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
): Call<I, O> {
  return { method, request: create(method.input, request) };
}

/** Models in a page of a list. */
const PAGE_SIZE = 24;
/** Most interests that are shown. */
const MOST_INTERESTS = 100;

const recommendation = RecommendationService.method;
const inventory = InventoryService.method;
const interest = InterestService.method;

/** The calls that the views make. */
export const calls = {
  recommend: (request: MessageInitShape<typeof RecommendRequestSchema>) =>
    createCall(recommendation.recommend, request),
  usage: () => createCall(recommendation.getUsage, {}),
  families: () => createCall(inventory.listFamilies, {}),
  tasks: () => createCall(inventory.listTasks, {}),
  searchModels: (search: MessageInitShape<typeof SearchModelsRequestSchema>, pageToken?: string) =>
    createCall(inventory.searchModels, { ...search, pageSize: PAGE_SIZE, pageToken }),
  /** The first models that a search for words finds. */
  findModels: (q: string, pageSize: number) => createCall(inventory.searchModels, { q, pageSize }),
  model: (modelName: string) => createCall(inventory.getModel, { modelName }),
  compare: (request: MessageInitShape<typeof CompareModelsRequestSchema>) =>
    createCall(inventory.compareModels, request),
  plan: (request: MessageInitShape<typeof PlanHardwareRequestSchema>) => createCall(inventory.planHardware, request),
  estimate: (request: MessageInitShape<typeof EstimateHardwareRequestSchema>) =>
    createCall(inventory.estimateHardware, request),
  interests: () => createCall(interest.listInterests, { pageSize: MOST_INTERESTS }),
  createInterest: (wanted: MessageInitShape<typeof InterestSchema>) =>
    createCall(interest.createInterest, { interest: wanted }),
  deleteInterest: (id: string) => createCall(interest.deleteInterest, { id }),
  previewInterest: (id: string) => createCall(interest.previewInterest, { of: { case: "id", value: id } }),
};
