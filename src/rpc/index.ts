export type { SyncNamed } from "./admin-service.ts";
export {
  callerKey,
  type DailyStanding,
  dailyStandingKey,
  deadlineKey,
  handlerReachedKey,
  onStageKey,
  requestIdKey,
} from "./call/context.ts";
export { burstHeaders, callerError, dailyHeaders, ERROR_DOMAIN, toConnectError } from "./call/errors.ts";
export { checkTier, type MethodAccess, maxBodyBytes, methodAccess } from "./call/method-options.ts";
export { pageLimits } from "./call/page.ts";
export type { Quota } from "./call/quota.ts";
export { type Readiness, Ready } from "./call/ready.ts";
export { type FieldLimits, lengthInterceptor, limitsWithin, readLimits } from "./call/text-limits.ts";
export { checkBody, checkValues } from "./check-request.ts";
export { admissionInterceptor } from "./interceptors/admission.ts";
export { deadlineInterceptor } from "./interceptors/deadline-interceptor.ts";
export { errorInterceptor, OutageLog } from "./interceptors/error-interceptor.ts";
export { limitsInterceptor, limitsKey } from "./interceptors/limits-interceptor.ts";
export { summaryJson } from "./interests/interest-messages.ts";
export { inventoryService } from "./inventory/inventory-service.ts";
export { estimateMessage } from "./inventory/model-messages.ts";
export { answerBatchNeed } from "./recommendation/answer-batch-need.ts";
export { checkNeed, needLimits } from "./recommendation/need.ts";
export { recommendationService } from "./recommendation/recommendation-service.ts";
export { type ServiceState, serviceRoutes } from "./routes.ts";
