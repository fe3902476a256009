/** What a new version brings. */
export const en = {
  'news-title': 'What is new in {version}',
} as const
