package dev.idspring.integration.r2dbc;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * Captures the log of the database client, and returns the command and the table of each
 * executed statement, such as {@code insert into post}.
 */
final class StatementLog {

	private static final String PREFIX = "Executing SQL statement [";

	private StatementLog() {
	}

	/**
	 * Return the statements that are executed by a task.
	 */
	static List<String> during(Runnable work) {
		Logger logger = (Logger) LoggerFactory.getLogger("org.springframework.r2dbc.core");
		List<String> statements = new CopyOnWriteArrayList<>();
		AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

			@Override
			protected void append(ILoggingEvent event) {
				if (event.getFormattedMessage().startsWith(PREFIX)) {
					statements.add(commandAndTable(event.getFormattedMessage().substring(PREFIX.length())));
				}
			}

		};
		appender.setContext(logger.getLoggerContext());
		appender.start();
		Level level = logger.getLevel();
		logger.setLevel(Level.DEBUG);
		logger.setAdditive(false);
		logger.addAppender(appender);
		try {
			work.run();
			return List.copyOf(statements);
		}
		finally {
			logger.detachAppender(appender);
			logger.setAdditive(true);
			logger.setLevel(level);
		}
	}

	private static String commandAndTable(String sql) {
		String[] words = sql.toLowerCase(Locale.ROOT).replace("\"", "").split("[ (]+");
		return words[0].equals("update") ? words[0] + " " + words[1] : words[0] + " " + words[1] + " " + words[2];
	}

}
