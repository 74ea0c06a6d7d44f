/** The part of s3rver that is used; it comes without types. */
declare module "s3rver" {
  interface ListOptions {
    delimiter?: string;
    startAfter?: string;
    prefix?: string;
    maxKeys?: number;
  }
  interface Listed {
    objects: Array<{ key: string }>;
    commonPrefixes: string[];
    isTruncated: boolean;
  }
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: Array<{ name: string; configs: string[] }>;
    });
    store: {
      listObjects(bucket: string, options: ListOptions): Promise<Listed>;
      copyObject(bucket: string, key: string, toBucket: string, toKey: string): Promise<unknown>;
    };
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
