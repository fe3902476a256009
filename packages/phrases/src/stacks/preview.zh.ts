import type { en } from './preview.en.ts'

export const zh = {
  'preview-no-namespace': '应用栈在集群中还没有命名空间，请在其运行后重试',
  'preview-ui-title': '集群的答复',
  'preview-ui-dialog': '集群对 {name} 的答复',
  'preview-ui-ask': '询问集群',
  'preview-ui-invalid': '请先填写表单',
  'preview-ui-asking': '正在询问集群……',
  'preview-ui-silent': '集群没有说明是否接受：{reason}',
  'preview-ui-refused': '集群拒绝 {count} 个对象',
  'preview-ui-taken': '集群接受全部 {count} 个对象',
  'preview-ui-create': '新建',
  'preview-ui-change': '修改',
  'preview-ui-remove': '删除',
  'preview-ui-none': '不变',
} satisfies Record<keyof typeof en, string>
