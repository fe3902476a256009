import { z } from 'zod'

/** Chats that receive messages at a URL, which is itself the secret. */
export const ChatKind = z.enum(['dingtalk', 'wecom', 'feishu', 'slack'])
export type ChatKind = z.infer<typeof ChatKind>

export const isChat = (kind: string): kind is ChatKind => ChatKind.safeParse(kind).success

/** Whether a chat's messages are signed if a secret is given; the other chats have no secret. */
export const signsMessages = (kind: string): boolean => kind === 'dingtalk' || kind === 'feishu'
