import type { en } from './en.ts'

export const zh = {
  'permission.stack_stack_view': '查看应用栈',
  'permission.stack_stack_create': '创建应用栈',
  'permission.stack_stack_edit': '编辑应用栈',
  'permission.stack_stack_delete': '删除应用栈',
  'permission.stack_service_view': '查看服务',
  'permission.stack_service_create': '创建服务',
  'permission.stack_service_edit': '编辑服务',
  'permission.stack_service_operate': '操作服务',
  'permission.stack_service_delete': '删除服务',
  'permission.stack_container_view': '查看容器',
  'permission.stack_container_execute': '进入终端：容器',
  'stacks-name-taken': '团队在该集群上已有名为 {name} 的应用栈，请更换名称',
  'stacks-being-deleted': '应用栈 {name} 正在删除，无法再修改',
  'stacks-service-name-taken': '应用栈 {stack} 中已存在名为 {name} 的服务，请更换名称',
  'stacks-service-unknown': '应用栈 {stack} 中没有服务 {service}，请先创建或选择其他服务',
  'stacks-stack-unknown': '团队中没有应用栈 {stack}，请在步骤中选择其他应用栈',
  'stacks-changed-meanwhile': '服务 {service} 已被他人修改，请重新构建以部署该镜像',
  'stacks-specification-needed': '升级需要提供服务的新配置',
  'stacks-nothing-to-return-to': '服务 {name} 没有可恢复的版本：当前为首个版本',
  'stacks-share-exceeded-cpu':
    '应用栈 {stack} 的 CPU 份额为 {hard} 核，已用 {taken} 核（含仍在替换或删除的部分）；本次（含滚动升级）还需 {wanted} 核。请释放 {free} 核或提高应用栈份额',
  'stacks-share-exceeded-memory':
    '应用栈 {stack} 的内存份额为 {hard} GiB，已用 {taken} GiB（含仍在替换或删除的部分）；本次（含滚动升级）还需 {wanted} GiB。请释放 {free} GiB 或提高应用栈份额',
  'stacks-share-below-use-cpu':
    '应用栈中的服务最多使用 {taken} 核，超过了 {hard} 核；仍在替换或删除的部分在结束前计入其中。请先缩减服务，或等待其结束',
  'stacks-share-below-use-memory':
    '应用栈中的服务最多使用 {taken} GiB 内存，超过了 {hard} GiB；仍在替换或删除的部分在结束前计入其中。请先缩减服务，或等待其结束',
  'stacks-share-below-running-cpu':
    '应用栈当前运行的容器占用 {taken} 核，超过了 {hard} 核。请先释放 {free} 核，或等待正在停止的容器结束',
  'stacks-share-below-running-memory':
    '应用栈当前运行的容器占用 {taken} GiB 内存，超过了 {hard} GiB。请先释放 {free} GiB，或等待正在停止的容器结束',
  'stacks-not-now-deploying': '服务 {name} 正在部署，请等待完成',
  'stacks-not-now-stable': '服务 {name} 处于稳定状态，没有可确认、取消或回滚的升级',
  'stacks-not-now-upgrading': '服务 {name} 正在升级，请等待完成或取消升级',
  'stacks-not-now-upgraded': '服务 {name} 的升级等待处理，请先确认或回滚',
  'stacks-not-now-cancelling': '正在取消服务 {name} 的升级，请等待完成',
  'stacks-not-now-rolling-back': '服务 {name} 正在回滚，请等待完成',
  'stacks-not-now-failed': '服务 {name} 已失败，请取消升级、重新升级或删除',
  'stacks-not-now-deleting': '服务 {name} 正在删除',
  'stacks-image-missing': '镜像 {image} 不存在或名称有误，请检查名称、标签和仓库：{reason}',
  'stacks-image-refused': '无法拉取镜像 {image}，请确认集群能访问该仓库且密码正确：{reason}',
  'stacks-crashes': '容器组 {pod} 已崩溃 {count} 次（退出码 {code}），请查看上一个容器的日志',
  'stacks-config-error': '无法创建容器：{reason}。请检查变量和启动命令',
  'stacks-cannot-start': '集群拒绝创建容器组：{reason}',
  'stacks-not-ready-in-time': '服务未能按时就绪，请检查日志和就绪规则。{reason}',
  'stacks-unschedulable': '没有节点可以运行该容器组：{reason}',
  'agents-no-image-to-deploy': '构建没有可部署的镜像，请在部署步骤前添加镜像步骤，或选择正确的步骤（{step}）',
  'stacks-no-previous-log': '容器此前没有运行过，没有上一个日志',
  'stacks-log-not-yet': '容器尚未启动，还没有日志，请查看服务事件',
} satisfies Record<keyof typeof en, string>
