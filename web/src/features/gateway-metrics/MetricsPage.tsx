export default function MetricsPage() {
  return null;
}
