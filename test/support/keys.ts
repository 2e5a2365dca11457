/** The secrets every test process runs with. */
export const keys = {
  SESSION_SECRET: 'test-session-secret-0123456789-0123456789',
  MOBILE_API_KEY: 'test-mobile-key-0123456789',
  CRON_SECRET: 'test-cron-secret-0123456789',
  INBOUND_EMAIL_SECRET: 'test-inbound-secret-0123456789',
  METRICS_TOKEN: 'test-metrics-token-0123456789',
}
