/** A file of a board that is not in the form that is expected. The message follows the name of the file or board. */
export class BoardFormError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BoardFormError";
  }
}
