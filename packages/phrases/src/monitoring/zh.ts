import type { en } from './en.ts'

export const zh = {
  'monitoring-url-needed': '请填写 Prometheus 的地址',
  'monitoring-token-characters': '令牌不能包含空格或 ASCII 以外的字符',
  'monitoring-username-characters': '用户名不能包含冒号或换行',
  'monitoring-one-credential': '请填写令牌，或者用户名和密码，二者只能选其一',
  'monitoring-secret-again': '地址或用户已更改，已保存的密码和令牌不会发送到新地址。请重新填写',
  'monitoring-service-needed': '这是单个服务的指标，请指明是哪个服务',
  'monitoring-cluster-only': '这不是集群、主机或命名空间的指标。请在服务页面查看',
  'monitoring-no-stacks': '该团队在此集群上还没有应用栈。创建第一个应用栈后即有指标',
  'monitoring-none-matching':
    '该集群的 Prometheus 有应答，但没有对应的数据。它需要采集 node exporter、kubelet 和 cAdvisor 的指标（与 kube-prometheus 的采集方式一致）',
  'monitoring-too-many': '数据条数超出图表的显示范围。请选择单个主机、服务或容器',
  'monitoring-shortened': '图表最多显示 {days} 天，因此起点晚于所请求的时间',
  'monitoring-kept':
    '没有 Prometheus 时，数据只保留 {days} 天。如需更久的数据，管理员可在集群的监控设置中接入 Prometheus',
  'monitoring-not-sampled': '网络和磁盘指标只有接入 Prometheus 后才有。管理员可在集群的监控设置中接入',
  'monitoring-source-slow': '指标来源处理此查询耗时过长。请缩短时间范围，或稍后重试',
  'monitoring-source-down': '指标来源目前无法正常应答，管理员可以查看原因；恢复后图表会自动显示',
  'monitoring-soon': '尚未采集到数据。首批数据会在两分钟内出现',
  'monitoring-no-server':
    '该集群没有测量能力：未安装 metrics server（metrics.k8s.io）。请在集群中安装，或在其监控设置中接入 Prometheus',
  'monitoring-left-out':
    '该集群的容器数量超过了无 Prometheus 时的采集上限，此容器不在其中。可以让它优先采集，或接入 Prometheus',
  'monitoring-old': '{time} 之后没有采集到数据。{reason}',
  'monitoring-stopped': '采集已停止。服务器恢复后台任务后会自动继续',
} satisfies Record<keyof typeof en, string>
