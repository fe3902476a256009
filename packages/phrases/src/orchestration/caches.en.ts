/** Cache steps. */
export const en = {
  'pipelines-ui-step-cache': 'Cache',
  'pipelines-ui-cache-key': 'Key',
  'pipelines-ui-cache-key-help':
    '{hash} stands for the content of files, {output} for an output and {variable} for a variable.',
  'pipelines-ui-cache-fallbacks': 'Fallback keys',
  'pipelines-ui-cache-fallbacks-help':
    'Beginnings of keys that are tried in this order where the key itself has nothing yet.',
  'pipelines-ui-cache-paths': 'Files and folders',
  'pipelines-ui-cache-paths-help': 'Relative to the workspace. They are kept when the job has succeeded.',
  'pipelines-ui-caches': 'Cached files',
  'pipelines-ui-caches-search': 'Key or branch contains',
  'pipelines-ui-caches-scope': 'Kept by builds of',
  'pipelines-ui-caches-branch': 'Branch {name}',
  'pipelines-ui-caches-tag': 'Tag {name}',
  'pipelines-ui-caches-request': 'Merge request {name}',
  'pipelines-ui-caches-platform': 'Platform',
  'pipelines-ui-caches-size': 'Size',
  'pipelines-ui-caches-used': 'Last used',
  'pipelines-ui-caches-none': 'Nothing is cached',
  'pipelines-ui-caches-none-memo': 'Cache steps keep files here when their jobs have succeeded.',
  'pipelines-ui-caches-clear': 'Clear cache',
  'pipelines-ui-caches-clear-title': 'Clear the cached files of {name}?',
  'pipelines-ui-caches-clear-text': 'The next builds begin without them, and keep them anew.',
  'pipelines-cache-gone': 'What was cached has been removed in the meantime',
  'pipelines-cache-too-large':
    'The cached files of a team have at most {limit} GB. Cache less. An administrator can raise the limit with GANTRY_BUILD_CACHE_GB.',
  'pipelines-lint-cache-twice':
    'The step {step} has the same key as another cache step of its job, and only one of them will be kept. Give it another key.',
  'cache-key':
    'Enter a key of at most 200 characters on one line. A dollar sign only begins one of the placeholders for files, outputs and variables.',
  'cache-paths': 'Enter at least one file or folder to cache.',
}
