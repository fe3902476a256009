import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { accountTopic } from '../auth/topics.ts'

/** What is new in a version. */
export const News = z.object({
  version: z.string(),
  /** In the caller's language, like the notes: "What is new in 0.1.0". */
  title: z.string(),
  /** Empty: there are no notes for this version. */
  notes: z.array(z.string()),
  /** Whether the caller has used the product before this version, and has not read its notes. */
  unread: z.boolean(),
})
export type News = z.infer<typeof News>

/** The specification's path for marking news as read. */
const path = '/api/upgradeLog/updateUpIsSuccessful'

export const news = {
  /** Not in the specification. */
  get: endpoint({
    method: 'GET',
    path,
    access: 'user',
    summary: 'What is new in the running version, from the manual',
    data: News,
  }),
  read: endpoint({
    method: 'PUT',
    path,
    access: 'user',
    audit: 'news.read',
    summary: 'Mark what is new in the running version as read, for the caller',
    data: News,
    topics: [accountTopic],
  }),
}
