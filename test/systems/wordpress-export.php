<?php
// Writes WordPress's own export of all content. Usage: php wordpress-export.php FOLDER
$_SERVER['HTTP_HOST'] = parse_url(getenv('WP_URL'), PHP_URL_HOST) . ':' . parse_url(getenv('WP_URL'), PHP_URL_PORT);
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/export.php';
// The plugins that wrote these posts are not here to register their types.
foreach ($wpdb->get_col("SELECT DISTINCT post_type FROM $wpdb->posts") as $type) {
  if (!post_type_exists($type)) register_post_type($type, ['public' => true]);
}
export_wp(['content' => 'all']);
