/** The one IPC channel; preload and ports share it, so neither can drift. */
export const CHANNEL = 'turnscope:rpc'
