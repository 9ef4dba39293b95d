<?php
// Writes WordPress's own export of all content. Usage: php wordpress-export.php FOLDER
$_SERVER['HTTP_HOST'] = parse_url(getenv('WP_URL'), PHP_URL_HOST) . ':' . parse_url(getenv('WP_URL'), PHP_URL_PORT);
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/export.php';
export_wp(['content' => 'all']);
