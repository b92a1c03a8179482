export {
  type ProbeThreadContract,
  probeThreadContract,
  ProbeThreadData,
} from '../../wire/threads.ts'
