package dev.idspring.testsupport;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Delegates each JDBC call to a real database, but makes selected calls fail: either
 * before they take effect, or afterwards, as if the answer had been lost.
 */
public final class FaultyDataSource extends DelegatingDataSource {

	private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

	private volatile Fault fault = (index, call) -> Outcome.SUCCEEDS;

	public FaultyDataSource(DataSource target) {
		super(target);
	}

	/**
	 * Restart the count of calls, and make calls fail as the given fault decides.
	 */
	public void begin(Fault fault) {
		this.calls.clear();
		this.fault = fault;
	}

	/**
	 * Run the work several times, and make a different call fail each time: the first
	 * one, the second one, and so on until the work makes no further call.
	 * @param outcome the outcome of the failing call
	 * @param work called with the number of the failing call, from 1
	 * @return the number of failed calls
	 */
	public int failEachCall(Outcome outcome, IntConsumer work) {
		AtomicInteger failedCalls = new AtomicInteger();
		for (int number = 1; failedCalls.get() == number - 1; number++) {
			int index = number;
			begin((callIndex, name) -> {
				if (callIndex != index) {
					return Outcome.SUCCEEDS;
				}
				failedCalls.incrementAndGet();
				return outcome;
			});
			work.accept(index);
		}
		return failedCalls.get();
	}

	/**
	 * Return the names of all calls since {@link #begin}.
	 */
	public List<String> calls() {
		return List.of(this.calls.toArray(String[]::new));
	}

	@Override
	public Connection getConnection() throws SQLException {
		try {
			return (Connection) call("getConnection", () -> proxy(Connection.class, super.getConnection()));
		}
		catch (SQLException | RuntimeException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Object call(String name, Call call) throws Throwable {
		this.calls.add(name);
		Outcome outcome = this.fault.outcome(this.calls.size(), name);
		// if close failed before it took effect, the pool would lose the connection for
		// the rest of the test
		if (outcome.exception != null && !outcome.takesEffect && !name.equals("close")) {
			throw outcome.exception;
		}
		Object result = call.run();
		if (outcome.exception != null) {
			if (result instanceof Connection connection) {
				connection.close();
			}
			throw outcome.exception;
		}
		return result;
	}

	private Object proxy(Class<?> type, Object target) {
		return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> call(method.getName(), () -> invoke(method, target, arguments)));
	}

	private Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
		try {
			Object result = method.invoke(target, arguments);
			if (result instanceof PreparedStatement) {
				return proxy(PreparedStatement.class, result);
			}
			if (result instanceof Statement) {
				return proxy(Statement.class, result);
			}
			return (result instanceof ResultSet) ? proxy(ResultSet.class, result) : result;
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	/**
	 * Decides the outcome of each call.
	 */
	public interface Fault {

		/**
		 * Return the outcome of a call.
		 * @param index the number of the call, from 1
		 * @param call the name of the method
		 */
		Outcome outcome(int index, String call);

	}

	/**
	 * The outcome of a call.
	 *
	 * @param takesEffect whether the call reaches the database
	 * @param exception the exception for the caller, or {@code null} if the caller gets
	 * the result of the database
	 */
	public record Outcome(boolean takesEffect, Exception exception) {

		public static final Outcome SUCCEEDS = new Outcome(true, null);

		public static Outcome failsBefore(String state) {
			return new Outcome(false, new SQLException("injected before the call took effect", state));
		}

		public static Outcome failsAfter(String state) {
			return new Outcome(true, new SQLException("injected after the call took effect", state));
		}

	}

	private interface Call {

		Object run() throws Throwable;

	}

}
