import type { en } from './en.ts'

export const zh = {
  'junit-invalid':
    '测试报告不是有效的 JUnit XML 文件：请查看第 {line} 行第 {column} 列。根元素必须是 testsuites 或 testsuite，且不能包含 DTD 或自定义实体。',
  'junit-too-large': '测试报告超过 {limit}。请拆分为多个文件。',
} satisfies Record<keyof typeof en, string>
