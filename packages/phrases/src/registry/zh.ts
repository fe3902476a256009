import type { en } from './en.ts'

export const zh = {
  'registry-url-invalid': '这不是有效的镜像仓库地址。地址形如 https://host 或 https://host:port，不带路径。',
  'registry-wrong-password': '{host} 拒绝了该用户名和密码。请检查后重试。',
  'registry-password-needed': '{host} 要求提供用户名和密码。请填写。',
  'registry-forbidden': '{host} 不允许该用户执行此操作。请向其管理员申请权限。',
  'registry-not-one': '{host} 处不是镜像仓库。请检查地址和端口。',
  'registry-realm': '{host} 要求以未加密方式到 {realm} 登录，因此没有发送密码。请将其令牌地址改为 https。',
  'registry-error': '{host} 自身出现错误（状态码 {status}）。请稍后重试，或联系其管理员。',
  'registry-busy': '{host} 请求过多。请一分钟后重试。',
  'registry-resting': '{host} 已连续多次失败，将暂停访问 {seconds} 秒。请届时重试。',
  'registry-image-unknown': '{host} 上没有镜像 {image}。请检查名称和标签，或先推送该镜像。',
  'registry-image-invalid': '镜像名称无效。名称形如 team/service:1.0，且必须小写。',
  'registry-image-broken': '镜像 {image} 不完整，或其类型无法显示。请重新推送。',
  'registry-wrong-digest': '{host} 返回的内容与请求的摘要不符。请联系其管理员检查存储。',
  'registry-no-catalogue': '{host} 不提供仓库列表（状态码 {status}）。请直接填写仓库名称。',
  'registry-no-deletion': '{host} 不允许删除镜像。请联系其管理员开启删除功能。',
} satisfies Record<keyof typeof en, string>
