import { createContextKey } from "@connectrpc/connect";
import type { OnStage } from "../recommend/stage.ts";

/** Is told how long the steps of a call's recommendations took. */
export const onStageKey = createContextKey<OnStage>(() => {}, { description: "steps of recommendations" });
