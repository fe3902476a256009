import type { en } from './en.ts'

export const zh = {
  'blobs-full': '存储空间已满，无法继续写入。请删除旧的构建和制品，或联系管理员扩容。',
  'blobs-missing': '该文件已不存在。',
  'blobs-unavailable': '日志和文件的存储目前无法使用。请重试，或联系管理员检查。',
} satisfies Record<keyof typeof en, string>
