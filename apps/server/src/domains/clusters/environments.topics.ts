import type { Topic } from '../../http/push.ts'

/** For everybody who is signed in: it says that clusters changed, and never which. */
export const topics: Topic[] = [{ pattern: 'environments', access: 'user' }]
