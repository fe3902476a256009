import type { en } from './en.ts'

export const zh = {
  'kube-config-too-large': 'kubeconfig 超过 {limit}。请只粘贴需要的上下文。',
  'kube-config-too-long': 'kubeconfig 的条目过多，无法读取。请只粘贴需要的上下文。',
  'kube-config-not-yaml': 'kubeconfig 不是有效的 YAML（第 {line} 行）：{reason}',
  'kube-config-shape': '这不是 kubeconfig：“{field}”缺失或格式不正确。',
  'kube-config-no-context': 'kubeconfig 中没有上下文。请用“kubectl config set-context”创建一个。',
  'kube-config-choose-context': 'kubeconfig 中有多个上下文，请选择其中一个：{names}',
  'kube-config-unknown-context': 'kubeconfig 中没有上下文“{name}”。现有：{names}',
  'kube-config-dangling': '上下文“{context}”引用的 {thing}“{name}”在 kubeconfig 中不存在。',
  'kube-config-server-invalid': '“{server}”不是有效的 API Server 地址，应类似 https://cluster.example.com:6443',
  'kube-config-server-plain': 'API Server {server} 未加密，凭据会以明文传输。请使用 https 地址。',
  'kube-config-server-name':
    'kubeconfig 的 tls-server-name 是 IP 地址（{name}）。应填写服务器证书中的主机名；如果证书直接包含该地址，请去掉此项。',
  'kube-config-exec':
    'kubeconfig 通过运行程序（“{command}”）获取凭据，服务器上不允许这样做。请创建服务账号并使用其令牌。',
  'kube-config-auth-provider': 'kubeconfig 使用了登录插件“{name}”，暂不支持。请创建服务账号并使用其令牌。',
  'kube-config-file':
    'kubeconfig 引用了只存在于原机器上的文件（“{field}”）。请用“kubectl config view --raw --flatten”导出后再粘贴。',
  'kube-config-insecure':
    'kubeconfig 关闭了服务器证书校验（insecure-skip-tls-verify）。请改为在 certificate-authority-data 中提供集群的 CA 证书。',
  'kube-config-proxy': 'kubeconfig 指定了代理（proxy-url），暂不支持。出站代理由管理员统一设置。',
  'kube-config-impersonation': 'kubeconfig 以其他用户身份操作（“as”），暂不支持。请使用该用户自己的凭据。',
  'kube-config-no-credentials': 'kubeconfig 中的用户“{name}”没有凭据。需要令牌、用户名和密码，或客户端证书和私钥。',
  'kube-config-token-invalid': '令牌中含有不允许的字符。请重新粘贴，不要包含换行。',
  'kube-config-basic-invalid': '用户名不能包含冒号。',
  'kube-config-ca-invalid': '无法读取 CA 证书（certificate-authority-data）：应为经过 base64 编码的 PEM。',
  'kube-config-certificate-invalid': '无法读取客户端证书或私钥：两者都应为经过 base64 编码的 PEM，且私钥不能有密码。',
  'kube-config-key-mismatch': '客户端证书与私钥不匹配。',
  'kube-config-certificate-expired': '客户端证书的有效期为 {from} 至 {to}。请重新签发。',
  'kube-config-certificate-weak':
    '客户端证书不能用于 TLS：{reason}。请使用更强的密钥重新签发：至少 2048 位的 RSA 或 ECDSA，并以 SHA-256 签名。',

  'kube-refused': '无法连接集群的 API Server {server}：连接被拒绝。请确认它正在运行，且中间没有防火墙阻拦。',
  'kube-reset': '集群的 API Server {server} 中断了连接。请重试；如仍出现，请检查集群控制面。',
  'kube-timeout': '集群的 API Server {server} 未在规定时间内响应。请重试；如仍出现，请检查其负载和网络。',
  'kube-dns': '无法解析集群 API Server 的名称 {server}。请检查环境的地址。',
  'kube-tls':
    '集群 API Server {server} 的证书不受信任：{reason}。请在环境的 kubeconfig 中提供集群的 CA 证书或正确的服务器名称。',
  'kube-blocked': '不允许从此处访问地址 {server}。管理员可以放行（GANTRY_OUTBOUND_ALLOW）。',
  'kube-credentials': '集群 {server} 不接受（或不再接受）该环境的凭据。请联系管理员更换。',
  'kube-forbidden': '集群不允许此操作：{reason}',
  'kube-own-forbidden': '该环境的凭据在集群中缺少权限：{reason}。请联系管理员授权。',
  'kube-missing': '集群中没有（或已不存在）该对象：{reason}',
  'kube-exists': '集群中已存在该对象：{reason}',
  'kube-conflict': '集群中的该对象刚被其他人修改。请刷新后重试。（{reason}）',
  'kube-gone': '集群已不再保留此列表开始时的状态，请重新加载。',
  'kube-invalid': '集群拒绝了该对象：{reason}',
  'kube-quota': '集群中的配额不足：{reason}',
  'kube-policy': '集群的安全规则拒绝了此操作：{reason}',
  'kube-terminating': '命名空间正在删除，无法在其中创建对象。请等待删除完成。',
  'kube-throttled': '集群 {server} 负载过高，要求等待 {seconds} 秒。请稍后重试。',
  'kube-busy': '等待集群 {server} 处理的请求过多。请稍后重试。',
  'kube-server': '集群的 API Server {server} 出错，状态码 {status}：{reason}',
  'kube-protocol': '{server} 上响应的不是 Kubernetes API Server。请检查环境的地址。',
  'kube-too-large': '集群返回的内容超出了可读取的大小。请缩小请求范围。',
  'kube-unsupported-version': '集群运行的是 Kubernetes {version}，支持的版本为 {from} 至 {to}。',
} satisfies Record<keyof typeof en, string>
