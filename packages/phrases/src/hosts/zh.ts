import type { en } from './en.ts'

export const zh = {
  'hosts-uncounted': '此服务器内存中保存的容器组已达上限。请单独选择该集群以查看其数据。',
  'hosts-missing': '集群中没有名为 {host} 的主机，可能已被移除',
  'hosts-controller':
    '主机 {host} 运行着集群的控制平面或本产品，必须保持服务：不能停止调度、设为团队专用、转入维护或移除',
  'hosts-own-key': '键 {key} 属于集群或本产品，用于说明实际状态。请使用自有域名下的键',
  'hosts-taint-twice': '有两个污点的键和效果相同，请只保留一个',
  'hosts-in-maintenance': '主机 {host} 正在维护。请先结束维护，之后即可在其上调度容器组',
  'hosts-team-not-here': '团队 {team} 没有使用此集群，请先将集群分配给该团队',
  'hosts-windows-ingress': '主机 {host} 运行 Windows，不能承接入口流量。请选择 Linux 主机',
  'hosts-in-use':
    '主机 {host} 上还运行着应用栈的容器组（{count} 个）：{pods}。请先将主机转入维护，使它们迁移到其他主机',
  'hosts-drain-budget': '中断预算暂不允许驱逐：{reason}',
  'hosts-drain-refused': '集群拒绝驱逐：{reason}',
  'hosts-drain-alone': '它没有控制器，不会在其他主机上重新启动。确认可以停止后，请在集群中将其删除',
  'hosts-drain-ending': '已通知停止，正在结束',
  'hosts-drain-gone': '主机在此期间已从集群移除',
  'hosts-drain-uncordoned': '有人恢复了该主机的调度，维护因此结束',
  'hosts-log-off':
    '{host} 的 kubelet 没有提供日志。请在其配置中设置 enableSystemLogQuery: true，启用特性门控 NodeLogQuery，然后重启 kubelet',
  'hosts-log-away': '{host} 的 kubelet 没有响应，无法在此读取其日志。请查看该主机的状况，或登录主机检查',
  'hosts-log-far': '翻页最多回溯 {most} 行。要查看更早的日志，请选择更早的结束时间',
  'hosts-script-windows': '此脚本不能加入 Windows 主机。请按照 Kubernetes 手册用 kubeadm 手动加入，加入后会显示在此处',
  'hosts-script-other-maker':
    '集群 {name} 不是用 kubeadm 创建的：命名空间 kube-public 中没有 ConfigMap cluster-info。请用创建该集群的工具添加主机，加入后会显示在此处',
  'hosts-script-no-authority': '集群没有说明新主机据以识别它的证书颁发机构。请附上 CA 证书重新添加集群',
  'hosts-script-root': '请以 root 身份运行此脚本。',
  'hosts-script-kubeadm': '未安装 kubeadm。请先安装 kubeadm、kubelet 和容器运行时。',
  'hosts-script-joining': '正在加入集群 {name} …',
  'hosts-script-joined': '此主机已加入集群 {name}。',
} satisfies Record<keyof typeof en, string>
