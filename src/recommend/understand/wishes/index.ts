export { readWishes } from "./read-wishes.ts";
export { type Wish, wishKinds } from "./wish.ts";
