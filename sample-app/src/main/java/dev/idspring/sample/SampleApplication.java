package dev.idspring.sample;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * Starts the link shortener.
 */
@SpringBootApplication
@EnableScheduling
public class SampleApplication {

	private static final Log logger = LogFactory.getLog(SampleApplication.class);

	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

	@EventListener
	void logAddress(ApplicationReadyEvent event) {
		String port = event.getApplicationContext().getEnvironment().getProperty("local.server.port");
		if (port != null) {
			logger.info("Open http://localhost:" + port + "/");
		}
	}

}
