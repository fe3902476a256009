import { z } from 'zod'

/** Chats that take messages at an address of their own, which is itself the secret. */
export const ChatKind = z.enum(['dingtalk', 'wecom', 'feishu', 'slack'])
export type ChatKind = z.infer<typeof ChatKind>

export const isChat = (kind: string): kind is ChatKind => ChatKind.safeParse(kind).success

/** The chats whose messages are signed where a secret is given; the others have none. */
export const signsMessages = (kind: string): boolean => kind === 'dingtalk' || kind === 'feishu'
