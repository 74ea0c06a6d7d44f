export { boardFiles } from "./board-files.ts";
export { readBfcl, readEuroEval, readOpenClip, readTimm, readTimmSpeeds } from "./csv-boards.ts";
export { readOpenAsrMultilingual, readOpenAsrShort } from "./open-asr.ts";
export { BoardFormError, type BoardLine, type PlacedBoard, placeModels } from "./place-models.ts";
export { readGiftEval, readModelsDev, readMteb, readRoboflow } from "./reduced.ts";
export { readVectara } from "./vectara.ts";
