package dev.idspring.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * Finds in texts what a {@link DataSource} was told in confidence: a driver that does not
 * understand its URL quotes pieces of it, cut where it thinks that something ends.
 * <p>
 * Pools and drivers have no interface in common for their settings, but agree on the
 * names of the getters. They are asked each time, as passwords change.
 * <p>
 * What would make noise of every message and protect nobody is left alone: fewer than
 * three characters, words that drivers use, the account, and what the address shows
 * anyway. A short secret counts as a whole word only.
 */
final class DataSourceSecrets {

	private static final int SHORTEST = 3;

	/** From here on a secret is not part of a word by accident. */
	private static final int LONG = 8;

	private static final Set<String> WORDS = Set.of("password", "secret", "user", "username", "database", "connection",
			"server", "login", "null", "true", "false");

	private static final Pattern SECRET_NAME = Pattern.compile(DatabaseAddress.SECRET, Pattern.CASE_INSENSITIVE);

	private static final Pattern DELIMITERS = Pattern.compile("[\\s:@/?#&;,=(){}\\[\\]\"'\\\\]+");

	private static final List<String> URL = List.of("getJdbcUrl", "getUrl", "getURL");

	private static final List<String> ACCOUNT = List.of("getUsername", "getUser");

	private static final List<String> PASSWORD = List.of("getPassword");

	private static final List<String> PROPERTIES = List.of("getDataSourceProperties", "getConnectionProperties");

	private static final List<String> TARGETS = List.of("getTargetDataSource", "getDataSource",
			"getResolvedDataSources", "getResolvedDefaultDataSource");

	private final Set<String> secrets = new HashSet<>();

	private final Set<String> shown = new HashSet<>();

	private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

	private DataSourceSecrets() {
	}

	/**
	 * Return what matches the secrets, or {@code null} if there are none.
	 */
	static @Nullable Pattern pattern(DataSource dataSource) {
		DataSourceSecrets found = new DataSourceSecrets();
		found.read(dataSource);
		List<String> literals = found.secrets.stream()
			.filter((secret) -> secret.length() >= SHORTEST)
			.filter((secret) -> !WORDS.contains(secret.toLowerCase(Locale.ROOT)) && !found.shown.contains(secret))
			// the whole before its parts
			.sorted((a, b) -> b.length() - a.length())
			.map(DataSourceSecrets::literal)
			.toList();
		return literals.isEmpty() ? null : Pattern.compile(String.join("|", literals));
	}

	private static String literal(String secret) {
		String literal = Pattern.quote(secret);
		return (secret.length() < LONG) ? "(?<![\\p{L}\\p{N}_])" + literal + "(?![\\p{L}\\p{N}_])" : literal;
	}

	private void read(Object dataSource) {
		if (!this.seen.add(dataSource)) {
			return;
		}
		get(dataSource, URL, (url) -> {
			DatabaseAddress.secrets(url.toString()).forEach(this::addSecret);
			this.shown.addAll(List.of(DELIMITERS.split(DatabaseAddress.withoutCredentials(url.toString()))));
		});
		get(dataSource, ACCOUNT, (account) -> this.shown.add(account.toString()));
		get(dataSource, PASSWORD, (password) -> addSecret(password.toString()));
		get(dataSource, PROPERTIES, (properties) -> {
			if (properties instanceof Map<?, ?> map) {
				map.forEach((name, value) -> {
					if (SECRET_NAME.matcher(name.toString()).find()) {
						addSecret(value.toString());
					}
				});
			}
		});
		get(dataSource, TARGETS, (target) -> {
			if (target instanceof Map<?, ?> map) {
				map.values().forEach(this::read);
			}
			else {
				read(target);
			}
		});
	}

	private void addSecret(String secret) {
		this.secrets.add(secret);
		this.secrets.addAll(Arrays.asList(DELIMITERS.split(secret)));
	}

	private static void get(Object bean, List<String> getters, Consumer<Object> use) {
		for (String name : getters) {
			try {
				Method getter = bean.getClass().getMethod(name);
				Object value = getter.trySetAccessible() ? getter.invoke(bean) : null;
				if (value != null) {
					use.accept(value);
				}
			}
			catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException | RuntimeException ex) {
				// then it is not known
			}
		}
	}

}
