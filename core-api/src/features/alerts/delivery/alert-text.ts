import type { Alert, AlertEvent } from '../alert.entity';
import { alertMessages as messages } from '../alerts.messages';

/** Maximum number of alerts that a text names. Further alerts are only counted. */
const MAX_NAMED = 10;
const MARKS: Record<AlertEvent, string> = { firing: '🔴', resolved: '✅', flapping: '🟠' };

export interface MessageAlert {
  event: AlertEvent;
  alert: Alert;
  /** Name of the machine that observed the condition. */
  machine?: string;
}

const formatLocalTime = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(instant));

/** The text of a message for people. Its first line is a title. */
export function formatAlerts(entries: readonly MessageAlert[], timeZone: string): string {
  const [first] = entries;
  if (!first) return messages.nothing;
  if (entries.length > 1) {
    const lines = entries
      .slice(0, MAX_NAMED)
      .map(({ event, alert }) => messages.line(MARKS[event], messages.titles[alert.kind], alert.subjectName));
    return messages.several(entries.length, lines);
  }
  const { event, alert } = first;
  const title = messages.titles[alert.kind];
  const since = formatLocalTime(alert.since, timeZone);
  if (event === 'flapping') return messages.flapping(title, alert.subjectName);
  if (event === 'firing') return messages.firing(title, alert.subjectName, alert.reason, since);
  return messages.resolved(title, alert.subjectName, since, formatLocalTime(alert.resolvedAt ?? alert.since, timeZone));
}

const toWebhookData = ({ alert, machine }: MessageAlert) => ({
  kind: alert.kind,
  severity: alert.severity,
  subject: { type: alert.subjectType, id: alert.subjectId, name: alert.subjectName },
  ...(machine && { machine }),
  since: alert.since,
  ...(alert.resolvedAt && { until: alert.resolvedAt }),
  reason: alert.reason,
});

/** The body of a webhook (contract §10). Its type is the most urgent event; `data.alerts` lists several alerts. */
export function createWebhookBody(entries: readonly MessageAlert[], at: string) {
  const [first] = entries;
  const event = (['firing', 'flapping', 'resolved'] as const).find((kind) =>
    entries.some((entry) => entry.event === kind),
  );
  return {
    type: `alert.${event ?? 'resolved'}`,
    timestamp: at,
    data: {
      ...(first && toWebhookData(first)),
      ...(entries.length > 1 && { alerts: entries.map((entry) => ({ event: entry.event, ...toWebhookData(entry) })) }),
    },
  };
}
