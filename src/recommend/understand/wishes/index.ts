export { readWishes } from "./read-wishes.ts";
export { priorities, type Wish, wishKinds } from "./wish.ts";
