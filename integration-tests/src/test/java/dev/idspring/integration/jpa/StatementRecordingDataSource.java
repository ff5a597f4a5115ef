package dev.idspring.integration.jpa;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Records the prepared statements on the application's connections: one entry for each
 * execution of a statement or a batch.
 */
final class StatementRecordingDataSource extends DelegatingDataSource {

	private final List<String> statements = new CopyOnWriteArrayList<>();

	StatementRecordingDataSource(DataSource target) {
		super(target);
	}

	void clear() {
		this.statements.clear();
	}

	/**
	 * Return the number of statements or batches since the last call of {@link #clear}.
	 * @param prefix the beginning of the statements, in lower case
	 */
	long count(String prefix) {
		return this.statements.stream().filter((sql) -> sql.startsWith(prefix)).count();
	}

	/**
	 * Return all statements and batches since the last call of {@link #clear}.
	 */
	List<String> statements() {
		return this.statements;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection target = super.getConnection();
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					Object result = invoke(() -> method.invoke(target, arguments));
					return (result instanceof PreparedStatement statement && arguments[0] instanceof String sql)
							? proxy(statement, sql.toLowerCase(Locale.ROOT)) : result;
				});
	}

	private PreparedStatement proxy(PreparedStatement target, String sql) {
		return (PreparedStatement) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { PreparedStatement.class }, (proxy, method, arguments) -> {
					if (method.getName().startsWith("execute")) {
						this.statements.add(sql);
					}
					return invoke(() -> method.invoke(target, arguments));
				});
	}

	private static Object invoke(Call call) throws Throwable {
		try {
			return call.run();
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private interface Call {

		Object run() throws Exception;

	}

}
