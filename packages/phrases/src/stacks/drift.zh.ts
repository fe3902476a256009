import type { en } from './drift.en.ts'

export const zh: Record<keyof typeof en, string> = {
  'drift-unsettled': '服务尚未达到所要求的状态，请等待其稳定后再查看',
  'drift-none': '集群中的 {name} 已没有他人的变更',
  'drift-no-place': '{field} 在服务文档中没有对应位置，无法全部保留。请恢复，或在集群中修改。',

  'drift-ui-badge': '外部已变更',
  'drift-ui-title': '外部已变更',
  'drift-ui-memo': '有人直接在集群中修改了此服务。保留则成为下一个修订版本，恢复则回到已应用的内容。',
  'drift-ui-applied': '已应用',
  'drift-ui-live': '集群中',
  'drift-ui-by': '修改者',
  'drift-ui-gone': '该对象已不存在',
  'drift-ui-nothing': '未设置',
  'drift-ui-no-place': '无法保留',
  'drift-ui-keep': '保留',
  'drift-ui-keep-misfit': '部分变更在服务文档中没有对应位置，请恢复。',
  'drift-ui-keep-title': '保留对 {name} 的变更？',
  'drift-ui-keep-text': '它将成为服务的下一个修订版本。若变更不只是实例数，Pod 将被替换。',
  'drift-ui-put-back': '恢复',
  'drift-ui-put-back-title': '将 {name} 恢复为已应用的内容？',
  'drift-ui-put-back-text': '他人在集群中的变更将丢失。若变更涉及 Pod，Pod 将被替换。',
}
