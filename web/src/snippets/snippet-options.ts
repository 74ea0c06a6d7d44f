/** What a snippet needs to know beside the call. */
export interface SnippetOptions {
  /** Where the service is, such as http://127.0.0.1:8080. */
  readonly baseUrl: string;
  /** Whether the call is made with a key. */
  readonly hasKey: boolean;
}
