export const usageMessages = { range: 'O período é day, week, month ou year.' } as const;
