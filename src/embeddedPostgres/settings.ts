/** Sized for one building on a small machine, and nothing in the log that a person typed. Decision 5.2. */
const DEFAULTS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  max_connections: '60',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  jit: 'off',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  datestyle: 'ISO',
  log_destination: 'stderr',
  logging_collector: 'off',
  // Errors of statements go to the application alone: their text may hold what was typed.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
}

/** The postmaster's `-c name=value` arguments; `extra` wins over the defaults. No value may hold a space. */
export function settingArguments(port: number, extra: Record<string, string>): string[] {
  const all = { ...DEFAULTS, ...extra, port: String(port) }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** What keeps a committed change through a power cut; each must be `on` unless asked otherwise. */
export const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit']
