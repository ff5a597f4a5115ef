package dev.idspring.integration.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
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
 * Records the statements that are executed on its connections, such as {@code 1 x insert
 * into orders} for a single statement and {@code 50 x insert into orders} for a batch.
 */
final class RecordingDataSource extends DelegatingDataSource {

	private final List<String> statements = new CopyOnWriteArrayList<>();

	private volatile boolean recording;

	RecordingDataSource(DataSource target) {
		super(target);
	}

	/**
	 * Return the statements that are executed by a task.
	 */
	List<String> during(Runnable work) {
		this.statements.clear();
		this.recording = true;
		try {
			work.run();
			return List.copyOf(this.statements);
		}
		finally {
			this.recording = false;
		}
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return proxy(Connection.class, (method, arguments) -> {
			Object result = invoke(connection, method, arguments);
			if (!(result instanceof PreparedStatement statement)) {
				return result;
			}
			return recordingProxy(statement, commandAndTable((String) arguments[0]));
		});
	}

	private PreparedStatement recordingProxy(PreparedStatement statement, String commandAndTable) {
		return proxy(PreparedStatement.class, (method, arguments) -> {
			Object result = invoke(statement, method, arguments);
			if (method.getName().equals("executeBatch")) {
				record(((int[]) result).length, commandAndTable);
			}
			else if (method.getName().startsWith("execute")) {
				record(1, commandAndTable);
			}
			return result;
		});
	}

	private void record(int rows, String commandAndTable) {
		if (this.recording) {
			this.statements.add(rows + " x " + commandAndTable);
		}
	}

	/**
	 * Return the command and the table of a statement.
	 */
	private static String commandAndTable(String sql) {
		String[] words = sql.toLowerCase(Locale.ROOT).replaceAll("[\"`]", "").split("[ (]+");
		return words[0].equals("update") ? words[0] + " " + words[1] : words[0] + " " + words[1] + " " + words[2];
	}

	private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	private static <T> T proxy(Class<T> type, Invocation invocation) {
		return type.cast(Proxy.newProxyInstance(RecordingDataSource.class.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> invocation.call(method, arguments)));
	}

	private interface Invocation {

		Object call(Method method, Object[] arguments) throws Throwable;

	}

}
