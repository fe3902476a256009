import type { en } from './en.ts'

export const zh = {
  'outbound-refused':
    '该地址无法使用。地址必须以 http 或 https 开头，能够及时响应，且不在本机或保留网段内。管理员可通过 GANTRY_OUTBOUND_ALLOW 放行更多地址。',
  'outbound-unknown-host': '无法解析主机名 {host}。请检查拼写，或确认本服务器能够解析该名称。',
  'outbound-unreachable': '无法连接 {host}，或连接被拒绝。请检查地址和端口，并确认对方服务正在运行。',
  'outbound-timeout': '{host} 未能及时响应。请重试，或检查中间是否有防火墙拦截。',
  'outbound-tls': '无法与 {host} 建立安全连接。请检查其 TLS 设置。',
  'outbound-tls-expired': '{host} 的证书已过期或尚未生效。请在对方服务器上更新证书。',
  'outbound-tls-name': '{host} 的证书属于其他域名。请使用证书中的域名访问。',
  'outbound-tls-untrusted': '{host} 的证书并非由受信任的机构签发。管理员可通过 GANTRY_CA_FILE 添加其签发机构。',
  'outbound-tls-missing': '{host} 在该端口上不支持 TLS。请改用 http 地址，或使用 https 对应的端口。',
  'outbound-broken': '{host} 中断了连接，或返回了非 HTTP 内容。请检查地址和端口。',
  'outbound-too-large': '{host} 的响应超过 {limit}，已停止读取。',
  'outbound-redirect': '{host} 重定向到了其他地址。请直接填写最终地址。',
  'outbound-status': '{host} 返回了状态码 {status}。',
  'outbound-not-json': '{host} 返回的内容不符合预期。请确认填写的是其 API 地址。',
} satisfies Record<keyof typeof en, string>
